/** Marks that begin or end somebody's turn in what one family of models reads. */
interface MarkupFamily {
  readonly family: string
  /** Where its marks can be looked up. */
  readonly source: string
  /** Sources of regular expressions that do not mind the case. */
  readonly marks: readonly string[]
}

const families: readonly MarkupFamily[] = [
  {
    family: 'ChatML and all that write <|…|>: Qwen, Llama 3 and 4, Phi, Command, Granite, GLM, Kimi, gpt-oss',
    source: 'OpenAI "ChatML" and "Harmony response format"; chat templates in their tokenizer_config.json',
    marks: ['<\\|[\\w\\s/.-]{1,40}\\|>'],
  },
  {
    family: 'DeepSeek, Hunyuan',
    source: 'tokenizer_config.json of DeepSeek-V3 and Hunyuan-A13B-Instruct: bars of full width',
    marks: ['<｜[\\w\\s▁:/-]{1,40}｜>'],
  },
  {
    family: 'Llama 2',
    source: 'llama, "Llama 2: Open Foundation and Fine-Tuned Chat Models", reference code of generation',
    marks: ['\\[/?INST\\]', '<</?SYS>>', '</?s>(?=\\s*(?:\\[|<))'],
  },
  {
    family: 'Mistral',
    source: 'mistral-common, special tokens of its tokenizers v1 to v13',
    marks: ['\\[/?(?:AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|SYSTEM_PROMPT|MODEL_SETTINGS)\\]'],
  },
  {
    family: 'Gemma',
    source: 'Gemma, "Formatting and instruction tuning"',
    marks: ['<(?:start|end)_of_turn>', '<[be]os>'],
  },
  {
    family: 'Command R, Aya',
    source: 'tokenizer_config.json of c4ai-command-r-v01',
    marks: ['<[BE]OS_TOKEN>'],
  },
  { family: 'EXAONE', source: 'tokenizer_config.json of EXAONE-3.5', marks: ['\\[\\|\\w{1,40}\\|\\]'] },
  {
    family: 'MiniMax',
    source: 'chat template of MiniMax-M2',
    marks: ['\\]~!?b[\\][]', '\\[e~\\['],
  },
  { family: 'Seed', source: 'tokenizer_config.json of Seed-OSS', marks: ['</?seed:\\w{1,40}>'] },
  {
    family: 'Hermes, Qwen: tools and thoughts in the text',
    source: 'NousResearch "Hermes Function Calling", chat template of Qwen3',
    marks: ['</?(?:tool_call|tool_response|think)>'],
  },
  {
    family: 'Claude, and tags that prompts use by habit',
    source: 'Anthropic, "Legacy tool use" and "Use XML tags to structure your prompts"',
    marks: [
      '</?(?:system|assistant|user|human|tool_result|function_calls|function_results|antml:\\w{1,40})>',
      '<(?:invoke|antml:\\w{1,40}) ',
    ],
  },
]

const all = families.flatMap(({ marks }) => marks).join('|')
const mark = new RegExp(`(?=[<[\\]])(?=${all})[\\s\\S]`, 'gi')

/** Whether a text holds marks that a model may take for the words of somebody else. */
export function hasChatMarkup(text: string): boolean {
  return text.search(mark) >= 0
}

/** A text in which such marks are broken up by a space, so that they begin and end nothing. */
export function withoutChatMarkup(text: string): string {
  return text.replace(mark, '$& ')
}
