import type { FormTexts } from './form-texts.ts'
import { literalElement, literalText } from './literal-view.ts'
import { makeElement } from './make-element.ts'

/** One thing that is wrong with the input. */
export interface InputProblem {
  /** Dotted path; empty for the input as a whole. */
  readonly path: string
  readonly message: string
  /** Brings the person to where it can be corrected. */
  focus?(): void
}

/** All that is wrong, in one place; each leads to its field. */
export interface ProblemList {
  readonly element: HTMLElement
  show(problems: readonly InputProblem[]): void
}

let listCount = 0

/** Makes the list, empty and unseen. */
export function problemList(texts: FormTexts): ProblemList {
  listCount += 1
  const id = `problems-${listCount}`
  const list = makeElement('ul')
  const element = makeElement(
    'div',
    { class: 'summary', part: 'summary', role: 'group', 'aria-labelledby': id },
    makeElement('h4', { id }, texts.problems),
    list,
  )
  element.hidden = true
  const show = (problems: readonly InputProblem[]) => {
    element.hidden = problems.length === 0
    list.replaceChildren(...problems.map((problem) => problemRow(problem, texts)))
  }
  return { element, show }
}

function problemRow({ path, message, focus }: InputProblem, texts: FormTexts): HTMLElement {
  const name = path === '' ? texts.wholeInput : literalElement(path)
  const place =
    focus === undefined
      ? makeElement('span', { class: 'place' }, name)
      : makeElement('button', { type: 'button', class: 'link' }, name)
  if (focus !== undefined) place.addEventListener('click', focus)
  return makeElement('li', {}, place, ': ', literalText(message, texts))
}
