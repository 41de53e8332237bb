import { tool } from 'offstage'
import * as v from 'valibot'

/** A tool with parameters of every kind. */
export const bookRoom = tool({
  name: 'book_room',
  description: 'Book a meeting room. Asks first when food is ordered or more than ten people come.',
  inputSchema: v.object({
    room: v.pipe(v.picklist(['garden', 'library', 'roof']), v.description('which room')),
    people: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20)),
    hours: v.optional(v.pipe(v.number(), v.minValue(0.5), v.description('how long, in hours')), 1),
    catering: v.optional(v.pipe(v.boolean(), v.description('order food'))),
    equipment: v.optional(v.pipe(v.array(v.string()), v.description('for example ["screen", "flip chart"]'))),
    contact: v.pipe(
      v.object({ name: v.string(), phone: v.optional(v.string()) }),
      v.description('who answers questions'),
    ),
    note: v.optional(v.string()),
  }),
  needsApproval: ({ people, catering }) => catering === true || people > 10,
  effect: 'external',
  execute: ({ room, people, hours = 1, contact }) => {
    return `The ${room} is booked for ${people} people and ${hours} hours, in the name of ${contact.name}.`
  },
})
