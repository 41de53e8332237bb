import { play, type Scenario, type Stage } from '../play.ts'

const stage: Stage = {
  redirectUrl: new URL('callback.html', location.href).href,
  // Browsers open a window only from a real click: browser-client.mjs waits for the button.
  inClick: (run) =>
    new Promise((resolve, reject) => {
      const button = document.createElement('button')
      button.textContent = 'Sign in'
      button.onclick = () => {
        button.remove()
        run().then(resolve, reject)
      }
      document.body.append(button)
    }),
}

Object.assign(globalThis, { playScenario: (scenario: Scenario) => play(scenario, stage) })
