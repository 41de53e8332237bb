type Wire = Readonly<Record<string, unknown>>

/**
 * What OpenAI would refuse in a request, in its order; undefined when there is nothing. The rules are those of
 * https://platform.openai.com/docs/api-reference/chat/create and of what its errors say.
 */
export function whatIsWrong(body: Wire): string | undefined {
  const { model, messages, tools, tool_choice, stream, stream_options } = body
  if (typeof model !== 'string') return 'you must provide a model parameter'
  if (!isWellFormed(body)) return 'The request holds half of a surrogate pair.'
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' must not be empty."
  if (tools !== undefined && (!Array.isArray(tools) || tools.length === 0))
    return "'tools' must not be empty."
  if (tool_choice !== undefined && tools === undefined) return "'tool_choice' is only allowed with 'tools'."
  if (stream_options !== undefined && stream !== true) return "'stream_options' is only allowed with stream."
  return ((tools ?? []) as Wire[]).map(toolFault).find(Boolean) ?? historyFault(messages as Wire[])
}

function historyFault(messages: readonly Wire[]): string | undefined {
  const used = new Set<unknown>()
  let open: unknown[] = []
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    if (message.role === 'tool') {
      if (!open.includes(message.tool_call_id)) {
        return `${at}: role 'tool' must be a response to a preceeding message with 'tool_calls'.`
      }
      open = open.filter((id) => id !== message.tool_call_id)
      if (typeof message.content !== 'string') return `${at}.content must be a string.`
      continue
    }
    if (open.length > 0) return `${at}: these tool_call_ids had no response messages: ${open.join()}.`
    const fault = messageFault(message)
    if (fault !== undefined) return `${at}${fault}`
    const calls = (message.tool_calls ?? []) as Wire[]
    open = calls.map(({ id }) => id)
    for (const id of open) {
      if (used.has(id)) return `${at}: duplicate tool call id ${id}.`
      used.add(id)
    }
  }
  return open.length > 0 ? `these tool_call_ids had no response messages: ${open.join()}.` : undefined
}

function messageFault({ role, content, tool_calls }: Wire): string | undefined {
  if (role === 'system') return typeof content === 'string' ? undefined : '.content must be a string.'
  if (role === 'user') return contentFault(content)
  if (role !== 'assistant') return `.role is ${role}.`
  if (tool_calls === undefined) {
    return typeof content === 'string' && content !== '' ? undefined : '.content must be a string.'
  }
  if (!Array.isArray(tool_calls) || tool_calls.length === 0) return '.tool_calls must not be empty.'
  if (content !== null && typeof content !== 'string') return '.content must be a string or null.'
  return (tool_calls as Wire[]).map(callFault).find(Boolean)
}

function contentFault(content: unknown): string | undefined {
  if (typeof content === 'string') return undefined
  if (!Array.isArray(content) || content.length === 0) return '.content must be a string or a list.'
  for (const part of content as Wire[]) {
    const url = (part.image_url as Wire | undefined)?.url
    if (part.type === 'text' && typeof part.text === 'string') continue
    if (part.type === 'image_url' && /^(https?:|data:image\/\w+;base64,[\w+/]+=*$)/.test(String(url)))
      continue
    if (part.type === 'file' && part.file !== undefined) continue
    return `.content holds a part that is not valid: ${JSON.stringify(part).slice(0, 80)}`
  }
  return undefined
}

function callFault({ id, type, function: called }: Wire): string | undefined {
  const { name, arguments: input } = (called ?? {}) as Wire
  if (typeof id !== 'string' || id === '' || id.length > 40)
    return '.tool_calls.id must have 1 to 40 characters.'
  if (type !== 'function') return ".tool_calls.type must be 'function'."
  if (!isName(name)) return `.tool_calls.function.name does not match: ${name}`
  const value: unknown = JSON.parse(String(input))
  return typeof value === 'object' && value !== null
    ? undefined
    : '.tool_calls.function.arguments is no object.'
}

function toolFault({ type, function: described }: Wire): string | undefined {
  const { name, parameters } = (described ?? {}) as Wire
  if (type !== 'function' || !isName(name)) return `tools: not valid: ${name}`
  return (parameters as Wire | undefined)?.type === 'object' ? undefined : `tools: ${name} takes no object.`
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name)
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !/\p{Surrogate}/u.test(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, member]) => isWellFormed(key) && isWellFormed(member))
}
