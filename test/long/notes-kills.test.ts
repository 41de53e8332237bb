import { it } from 'vitest'
import { killStorm } from '../browser/notes/kill-storm.ts'

it('notes whose worker is ended in mid-append hold all of 10,000 acknowledged appends', () =>
  killStorm(10_000, 60))
