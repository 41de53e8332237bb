import type { ModelAdapter, ModelRequest } from 'offstage'
import { ScriptedModel, type ScriptedTurn } from 'offstage/testing'

/** What the user asks. */
export const wish = 'Plan a weekend in Vienna for me: there by train on Friday, two nights, back on Sunday.'

const { toolCall } = ScriptedModel

const turns: readonly ((request: ModelRequest) => ScriptedTurn)[] = [
  () => ({
    text: 'I will look up the trains first.',
    calls: [toolCall('find_trains', { from: 'Zurich', to: 'Vienna', day: 'Friday' })],
  }),
  (request) => {
    const { train, euros } = cheapest(said(request, 'find_trains')[0] ?? '')
    return {
      text: `The cheapest is ${train}. Two bookings need your yes, and I have one question.`,
      calls: [
        toolCall('find_trains', { from: 'Vienna', to: 'Zurich', day: 'Sunday' }),
        toolCall('book_train', { train, euros }),
        toolCall('book_hotel', { hotel: 'Hotel am Prater', nights: 2 }),
        toolCall('ask_traveller', { trip: 'Vienna, from Friday to Sunday' }),
      ],
    }
  },
  (request) => {
    const back = cheapest(said(request, 'find_trains')[0] ?? '')
    return [
      said(request, 'book_train')[0] ?? 'No train is booked.',
      said(request, 'book_hotel')[0] ?? 'No hotel is booked.',
      said(request, 'ask_traveller')[0] ?? 'You did not say how you like to travel.',
      `For the way back I suggest ${back.train}, ${back.euros} €.`,
    ].join(' ')
  },
]

/**
 * Plays the model. It knows nothing but the conversation, as a real one: after a reload it goes on from there.
 */
export const travelAgent: ModelAdapter = {
  name: 'script',
  stream: (request) => {
    const turn = turns[request.messages.filter(({ role }) => role === 'assistant').length]
    return new ScriptedModel([turn?.(request) ?? 'There is nothing left to do.']).stream(request)
  },
}

/** What the calls of a tool brought, the last one first; those that did not run brought nothing. */
function said({ messages }: ModelRequest, tool: string): readonly string[] {
  return messages
    .flatMap((message) => (message.role === 'tool' ? message.results : []))
    .flatMap(({ name, outcome, text }) => (name === tool && outcome === 'success' ? [text] : []))
    .reverse()
}

function cheapest(trains: string): { train: string; euros: number } {
  const found = [...trains.matchAll(/^(.+), (\d+) €$/gm)].map(([, train = '', euros]) => ({
    train,
    euros: Number(euros),
  }))
  return found.sort((one, other) => one.euros - other.euros)[0] ?? { train: 'no train', euros: 0 }
}
