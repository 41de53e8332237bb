import { memoryStore } from '../../../src/storage/memory-store.ts'
import { describeKeyValueStore } from '../../support/storage/describe-key-value-store.ts'

describeKeyValueStore('memoryStore', () => memoryStore())
