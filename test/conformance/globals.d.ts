/** What pages/index.ts puts on the page. */
declare const playScenario: (scenario: { name: string; url: string; context: object }) => Promise<void>
