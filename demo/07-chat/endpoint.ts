import type { ModelAdapter, ModelRequest } from 'offstage'
import { openAICompatible } from 'offstage/models'
import { chatScript } from './script.ts'

/** Where a model is served. */
export interface Endpoint {
  readonly baseURL: string
  readonly model: string
  /** Empty for servers that want none. */
  readonly apiKey: string
}

/**
 * A model that asks what is chosen at the moment of each request: the script where that is undefined. So one
 * conversation can go on with another model.
 */
export function chosenModel(chosen: () => Endpoint | undefined): ModelAdapter {
  return {
    name: 'the chosen model',
    stream: (request) => {
      const endpoint = chosen()
      return endpoint === undefined ? chatScript.stream(request) : askEndpoint(endpoint, request)
    },
  }
}

async function* askEndpoint({ baseURL, model, apiKey }: Endpoint, request: ModelRequest) {
  const url = readAddress(baseURL)
  if (model === '') throw new Error('Name a model in the panel “Model”, as its server calls it.')
  const isRefused = watchPolicy(url.origin)
  try {
    yield* openAICompatible({ baseURL, model, ...(apiKey && { apiKey }) }).stream(request)
  } catch (error) {
    if (!isRefused()) throw error
    throw new Error(
      `The Content-Security-Policy of this page lets it ask only its own server and this machine, so ${url.origin} was never asked. Choose a model server on this machine, or serve the page with “connect-src” naming ${url.origin}.`,
      { cause: error },
    )
  }
}

function readAddress(baseURL: string): URL {
  const url = URL.parse(baseURL, document.baseURI)
  if (url === null || baseURL === '') {
    throw new Error(
      'Give the address of the endpoint in the panel “Model”, for example http://localhost:11434/v1.',
    )
  }
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (location.protocol === 'https:' && url.protocol === 'http:' && !isHere) {
    throw new Error(
      `A page over https cannot reach ${url.origin}: browsers let it ask plain http only on this machine. Give an https address, or a server at localhost or 127.0.0.1.`,
    )
  }
  return url
}

/** Whether the page's policy has refused a request to an origin since. */
function watchPolicy(origin: string): () => boolean {
  let isRefused = false
  const look = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === 'connect-src' && blockedURI.startsWith(origin)) isRefused = true
  }
  document.addEventListener('securitypolicyviolation', look)
  return () => {
    document.removeEventListener('securitypolicyviolation', look)
    return isRefused
  }
}
