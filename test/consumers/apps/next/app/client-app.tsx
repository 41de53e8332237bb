'use client'

export { App } from './App'
