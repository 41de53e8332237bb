import { tool } from 'offstage'
import * as v from 'valibot'

const timetable = [
  { name: 'RJX 163', from: 'Zurich', to: 'Vienna', leaves: '08:40', euros: 89 },
  { name: 'RJX 167', from: 'Zurich', to: 'Vienna', leaves: '12:40', euros: 74 },
  { name: 'NJ 467', from: 'Zurich', to: 'Vienna', leaves: '21:40', euros: 59 },
  { name: 'RJX 160', from: 'Vienna', to: 'Zurich', leaves: '07:30', euros: 74 },
  { name: 'RJX 166', from: 'Vienna', to: 'Zurich', leaves: '15:30', euros: 64 },
]

export const findTrains = tool({
  name: 'find_trains',
  description: 'Find the trains from one city to another.',
  inputSchema: v.object({ from: v.string(), to: v.string(), day: v.string() }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ from, to, day }) => {
    const trains = timetable.filter((train) => train.from === from && train.to === to)
    return trains.map(({ name, leaves, euros }) => `${name}, ${day} ${leaves}, ${euros} €`).join('\n')
  },
})
