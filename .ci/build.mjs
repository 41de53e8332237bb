import { buildLibrary } from './build-library.mjs'

process.exitCode = await buildLibrary()
