import type { Excess } from './json-limits.ts'

/** Every sentence about the definitions of a server's tools. */
export interface DefinitionTexts {
  /** Why a tool is set aside. For a person. */
  readonly noName: string
  readonly emptyName: string
  longName(chars: number, most: number): string
  unreadableDefinition(why: string): string
  duplicateName(times: number): string
  tooManyTools(most: number, others: number): string
  /** `why` is what `excess` says. */
  largeDefinition(why: string): string
  /** All definitions of the server together. */
  largeDefinitions(mostKiB: number): string
  /** `why` is one of the reasons below that stand behind "the input schema". */
  refusedInputSchema(why: string): string

  /** What is wrong with a definition or a schema, to stand behind it: no sentence, no full stop. */
  /** The limit that is exceeded: of levels, of objects and lists, or of KiB. */
  excess(excess: Excess): string
  readonly noSchema: string
  readonly noObject: string
  readonly endlessSchema: string
  unusableSchema(fault: string): string
  hiddenInName(characters: string): string
  readonly markupInName: string
  longSchemaName(chars: number): string
  unusableNamePattern(risk: string): string
  wrongNeeds(path: string): string

  /** Why a pattern is not tried, to stand behind a colon. */
  readonly tooManyPatterns: string
  longPattern(most: number): string
  readonly noPattern: string
  readonly complicatedPattern: string
  readonly slowPattern: string
  hiddenInPattern(characters: string): string
  readonly markupInPattern: string

  /** What a person should know before trusting a tool. `field` is `title`, `description` or a path in a schema. */
  hiddenCharacters(field: string, characters: string): string
  htmlComment(field: string): string
  chatMarkup(field: string): string
  blankRun(field: string): string
  overLong(field: string, chars: number): string
  readonly noDescription: string
  readonly noInputSchema: string
  unusedOutputSchema(why: string): string
  uncheckedPattern(path: string, why: string): string
  /** `characters` are those that cannot be seen. */
  changedValue(path: string, characters: string): string
  markupInValue(path: string): string
  longValue(path: string, most: number): string
  givesOrders(orders: readonly string[]): string
  namesOtherTools(names: readonly string[]): string

  /** For the model: in place of a description that is missing. */
  readonly descriptionInstead: string
  /** For the model: at the end of a text that was longer. */
  cutNote(chars: number): string
  /** For the model: of a pattern that is not tried here. */
  mustMatch(pattern: string): string
}

/** The sentences in English. */
export const definitionTextsEn: DefinitionTexts = {
  noName: 'It has no name, so that it cannot be called.',
  emptyName: 'Its name is empty, so that it cannot be called.',
  longName: (chars, most) => `Its name has ${chars} characters; at most ${most} are accepted.`,
  unreadableDefinition: (why) => `Its definition cannot be read: ${why}.`,
  duplicateName: (times) =>
    `The server lists ${times} tools under this name, so that nobody can tell which of them a call would run. ` +
    'None is offered; the server must give each its own name.',
  tooManyTools: (most, others) =>
    `The server has more than ${most} tools; the ${others} others are not read. ` +
    'Raise maxTools, or have the server offer fewer.',
  largeDefinition: (why) => `Its definition ${why}. Ask the maker of the server for a smaller one.`,
  largeDefinitions: (mostKiB) =>
    `The definitions of the server's tools are larger than ${mostKiB} KiB together; this one is not read. ` +
    'Ask the maker of the server for fewer or smaller ones.',
  refusedInputSchema: (why) => `Its input schema ${why}.`,

  excess: ({ limit, most }) => {
    if (limit === 'depth') return `is nested deeper than ${most} levels`
    return limit === 'parts' ? `has more than ${most} objects and lists` : `is larger than ${most} KiB`
  },
  noSchema: 'is no JSON Schema object',
  noObject: 'does not describe an object',
  endlessSchema: 'refers to itself in a way that would take forever to check',
  unusableSchema: (fault) => `cannot be used: ${fault}`,
  hiddenInName: (characters) => `has a name with characters that cannot be seen (${characters})`,
  markupInName: 'has a name with marks that a model may take for the words of somebody else',
  longSchemaName: (chars) => `has a name of ${chars} characters`,
  unusableNamePattern: (risk) => `has a pattern for names that cannot be used: ${risk}`,
  wrongNeeds: (path) => `is wrong at "${path}": expected an object of lists of names`,

  tooManyPatterns: 'the schema has too many patterns',
  longPattern: (most) => `it is longer than ${most} characters`,
  noPattern: 'it is not a regular expression of JavaScript',
  complicatedPattern: 'it is too complicated to tell how long it takes',
  slowPattern: 'some texts would take it too long',
  hiddenInPattern: (characters) => `it holds characters that cannot be seen (${characters})`,
  markupInPattern: 'it holds marks that a model may take for the words of somebody else',

  hiddenCharacters: (field, characters) =>
    `The ${field} held characters that cannot be seen (${characters}); a model does not get them.`,
  htmlComment: (field) => `The ${field} held an HTML comment; a model does not get it.`,
  chatMarkup: (field) =>
    `The ${field} holds marks that a model may take for the words of somebody else; they were broken up.`,
  blankRun: (field) => `The ${field} pushed a part of itself out of sight with blank lines or spaces.`,
  overLong: (field, chars) => `The ${field} has ${chars} characters; a model only gets its beginning.`,
  noDescription: 'The server does not say what this tool does.',
  noInputSchema: 'The server does not say what input this tool takes: it gets none.',
  unusedOutputSchema: (why) =>
    `The output schema ${why}. The tool works without it; its results are not checked.`,
  uncheckedPattern: (path, why) => `The pattern in ${path} is not checked on this page: ${why}.`,
  changedValue: (path, characters) =>
    `A value in ${path} was changed before a model sees it: it held ${characters}.`,
  markupInValue: (path) =>
    `A value in ${path} was changed before a model sees it: it held marks that a model may take for the words ` +
    'of somebody else.',
  longValue: (path, most) =>
    `A value in ${path} was changed before a model sees it: it held more than ${most} characters.`,
  givesOrders: (orders) =>
    `Its texts give a model orders: ${orders.map((order) => `"${order}"`).join(', ')}. ` +
    'Read them before you trust it.',
  namesOtherTools: (names) =>
    `Its texts speak of other tools (${names.join(', ')}): they may change how a model uses those.`,

  descriptionInstead: 'The server gives no description of this tool.',
  cutNote: (chars) => ` […cut: the server's text has ${chars} characters]`,
  mustMatch: (pattern) => `Must match the pattern ${pattern}`,
}
