import type { JsonObject, ToolIssue } from '../tool/json-value.ts'
import type { Reading } from './form-control.ts'
import type { FormField } from './form-field.ts'
import { makeElement } from './make-element.ts'
import { type InputProblem, problemList } from './problem-list.ts'
import { type SchemaFormOptions, schemaForm } from './schema-form.ts'

/** Where an object is written: in a form, or as JSON. */
export interface ObjectEditor {
  readonly element: HTMLElement
  read(): Reading<JsonObject>
  /** Shows what differs from the proposal now. */
  update(): void
  /** Whether an issue is about one of its fields. */
  owns(issue: ToolIssue): boolean
  /** Shows what cannot be read, and these issues. Gives the number of problems that the person is shown. */
  showIssues(issues: readonly ToolIssue[]): number
  focus(): void
}

/** An editor that is a form, with a list of all that is wrong below it. */
export function formEditor(options: SchemaFormOptions): ObjectEditor {
  const form = schemaForm(options)
  const summary = problemList(options.texts)
  const element = makeElement('div', {}, form.element, summary.element)
  return {
    element,
    read: form.read,
    update: () => {
      for (const field of form.fields()) field.update()
    },
    owns: ({ path }) => fieldOf(path, form.fields()) !== undefined,
    showIssues: (issues) => {
      const fields = form.fields()
      const problems = fields.flatMap((field) => ownProblems(field, fields, issues))
      for (const field of fields) {
        field.showProblems(problems.filter((one) => one.field === field).map(({ message }) => message))
      }
      const rest = issues.filter(({ path }) => fieldOf(path, fields) === undefined)
      const shown: InputProblem[] = problems.filter(({ field }) => field.isTouched())
      if (options.compare || shown.length > 0) shown.push(...rest)
      summary.show(shown)
      return shown.length
    },
    focus: () => form.fields()[0]?.focus(),
  }
}

interface FieldProblem extends InputProblem {
  readonly field: FormField
}

function ownProblems(
  field: FormField,
  fields: readonly FormField[],
  issues: readonly ToolIssue[],
): FieldProblem[] {
  const { path } = field
  const focus = () => field.focus()
  const { problem } = field.read()
  // An object that cannot be read has a field that says why.
  const isOuter = fields.some((other) => other !== field && other.path.startsWith(`${path}.`))
  if (problem !== undefined) return isOuter ? [] : [{ field, path, message: problem, focus }]
  return issues
    .filter((issue) => fieldOf(issue.path, fields) === field)
    .map((issue) => ({ field, path: issue.path, message: issue.message, focus }))
}

// The innermost field that holds the place.
function fieldOf(path: string, fields: readonly FormField[]): FormField | undefined {
  return fields.findLast((field) => path === field.path || path.startsWith(`${field.path}.`))
}
