import { tool } from 'offstage'

export const rollForever = tool({
  name: 'roll_forever',
  description: 'Roll dice without an end.',
  parallelSafe: true,
  effect: 'none',
  timeoutMs: 1500,
  execute: () => {
    // Never looks at its signal, and is too busy for any message.
    while (true) Math.random()
  },
})

export const sayHello = tool({
  name: 'say_hello',
  description: 'Say hello.',
  parallelSafe: true,
  effect: 'none',
  execute: () => 'Hello from a fresh worker.',
})
