import { serveTools } from 'offstage/worker'
import { findTrains } from './find-trains.ts'

export const tools = [findTrains] as const

serveTools(tools)
