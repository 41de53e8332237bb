import { mount } from 'svelte'
import { allowOwnWorkers } from '../shared/own-workers.ts'
import App from './App.svelte'

allowOwnWorkers()
const page = document.querySelector('main')
if (page !== null) mount(App, { target: page })
