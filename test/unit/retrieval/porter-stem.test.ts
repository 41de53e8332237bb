import { expect, it } from 'vitest'
import { porterStem } from '../../../src/retrieval/porter-stem.ts'

// The examples of Porter's paper, step by step, as the whole algorithm leaves them.
it.each([
  ...[
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['ties', 'ti'],
    ['caress', 'caress'],
    ['cats', 'cat'],
  ],
  ...[
    ['feed', 'feed'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['bled', 'bled'],
    ['motoring', 'motor'],
  ],
  ...[
    ['sing', 'sing'],
    ['conflated', 'conflat'],
    ['troubled', 'troubl'],
    ['sized', 'size'],
    ['hopping', 'hop'],
  ],
  ...[
    ['falling', 'fall'],
    ['hissing', 'hiss'],
    ['fizzed', 'fizz'],
    ['failing', 'fail'],
    ['filing', 'file'],
  ],
  ...[
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['conditional', 'condit'],
  ],
  ...[
    ['rational', 'ration'],
    ['digitizer', 'digit'],
    ['radically', 'radic'],
    ['vietnamization', 'vietnam'],
  ],
  ...[
    ['predication', 'predic'],
    ['operator', 'oper'],
    ['feudalism', 'feudal'],
    ['decisiveness', 'decis'],
  ],
  ...[
    ['hopefulness', 'hope'],
    ['formality', 'formal'],
    ['sensibility', 'sensibl'],
    ['triplicate', 'triplic'],
  ],
  ...[
    ['electrical', 'electr'],
    ['goodness', 'good'],
    ['revival', 'reviv'],
    ['allowance', 'allow'],
  ],
  ...[
    ['airliner', 'airlin'],
    ['adjustable', 'adjust'],
    ['replacement', 'replac'],
    ['adoption', 'adopt'],
  ],
  ...[
    ['communism', 'commun'],
    ['effective', 'effect'],
    ['bowdlerize', 'bowdler'],
    ['probate', 'probat'],
  ],
  ...[
    ['rate', 'rate'],
    ['cease', 'ceas'],
    ['controll', 'control'],
    ['roll', 'roll'],
    ['connection', 'connect'],
  ],
  ...[
    ['generalizations', 'gener'],
    ['oscillators', 'oscil'],
    ['yes', 'ye'],
    ['by', 'by'],
    ['weiß', 'weiß'],
  ],
])('the stem of %s is %s', (word, stem) => {
  expect(porterStem(word as string)).toBe(stem)
})
