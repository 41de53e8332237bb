import { tool } from 'offstage'
import * as v from 'valibot'
import { book } from './bookings.ts'

export const bookTrain = tool({
  name: 'book_train',
  description: 'Book a seat on a train. It cannot be given back.',
  inputSchema: v.object({ train: v.string(), euros: v.pipe(v.number(), v.minValue(0)) }),
  parallelSafe: true,
  needsApproval: true,
  effect: 'external',
  execute: ({ train, euros }) => `Booked as ${book(`${train}, ${euros} €`)}: ${train}.`,
})

export const bookHotel = tool({
  name: 'book_hotel',
  description: 'Book a room in a hotel.',
  inputSchema: v.object({
    hotel: v.string(),
    nights: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(14)),
  }),
  parallelSafe: true,
  needsApproval: true,
  effect: 'external',
  execute: ({ hotel, nights }) =>
    `Booked as ${book(`${hotel}, ${nights} nights`)}: ${hotel}, ${nights} nights.`,
})

export const askTraveller = tool({
  name: 'ask_traveller',
  description: 'Ask the traveller how they like to travel.',
  inputSchema: v.object({
    trip: v.string(),
    seat: v.optional(v.picklist(['window', 'aisle']), 'window'),
    meals: v.optional(v.picklist(['everything', 'vegetarian', 'vegan']), 'everything'),
    note: v.optional(v.pipe(v.string(), v.description('anything else that the hotel should know'))),
  }),
  userFields: ['seat', 'meals', 'note'],
  parallelSafe: true,
  effect: 'none',
  execute: ({ seat, meals, note }) =>
    `The traveller likes a seat at the ${seat} and eats ${meals}.${note === undefined ? '' : ` Note: ${note}`}`,
})
