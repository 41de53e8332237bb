/** Something that was booked, and under which number. */
export interface Booking {
  readonly reference: string
  readonly what: string
}

const key = 'offstage-demo-bookings'

/** All bookings, the first one first. They stand for the servers of a railway and a hotel: no reload undoes them. */
export function bookings(): readonly Booking[] {
  return JSON.parse(localStorage.getItem(key) ?? '[]')
}

/** Books and gives the number of the booking. Who books twice has two. */
export function book(what: string): string {
  const before = bookings()
  const reference = `T-${before.length + 1}`
  localStorage.setItem(key, JSON.stringify([...before, { reference, what }]))
  return reference
}

/** Forgets all bookings. */
export function forgetBookings(): void {
  localStorage.removeItem(key)
}
