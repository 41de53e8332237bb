import type { JsonValue } from '../tool/json-value.ts'
import type { ChangedField, ToolChange } from '../tool/tool-change.ts'
import type { RawDefinition } from './definitions/server-tool.ts'
import { type DefinitionChange, differenceOf } from './pins/difference-of.ts'
import type { PinTexts } from './pins/pin-texts.ts'

/** The difference between two definitions of a server's tool as a question to a person carries it. */
export function definitionChange(before: RawDefinition, after: RawDefinition, texts: PinTexts): ToolChange {
  const { changes, omitted } = differenceOf(before, after)
  const fields = changes.map(changedField)
  if (omitted === 0) return { fields }
  return { fields: [...fields, { name: '…', after: texts.moreChanges(omitted) }] }
}

function changedField({ path, before, after, segments }: DefinitionChange): ChangedField {
  return {
    name: path,
    ...(before === undefined ? {} : { before: shown(before) }),
    ...(after === undefined ? {} : { after: shown(after) }),
    ...(segments === undefined ? {} : { segments }),
  }
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
