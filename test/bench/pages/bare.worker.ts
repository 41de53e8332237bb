import { expose } from 'comlink'

expose({ add: (a: number, b: number) => a + b })
