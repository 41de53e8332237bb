import { App } from './client-app'

export default function Page() {
  return <App title="Notes, with Next" />
}
