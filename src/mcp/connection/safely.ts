import { throwLater } from '../../tool/throw-later.ts'

/** Tells the app something. That the app fails in it must not cost what else is done. */
export function safely(tell: () => void): void {
  try {
    tell()
  } catch (error) {
    throwLater(error)
  }
}
