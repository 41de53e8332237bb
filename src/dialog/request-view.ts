import type { ApprovalRequest } from '../execution/approval.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { foldableList, literalText, textList } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { originView } from './origin-view.ts'
import { policyView, policyWords } from './policy-view.ts'

/** More reasons than this are folded away. */
const maxReasons = 6

/**
 * The scrolling middle of the dialog: origin, description, reasons and input of a request. Whoever wrote
 * the tool or the call can make it long, but not larger than the room that the buttons leave.
 */
export function requestView(
  request: ApprovalRequest,
  texts: DialogTexts,
  inputSections: readonly HTMLElement[],
): HTMLElement {
  const { origin, description, policy = [] } = request
  const from = originView(origin, texts, (literal) => literalText(literal, texts))
  const about = makeElement('div', { id: 'about', class: 'about' }, from)
  const why = whyView(request, texts)
  // What a stranger may have brought about stands above the words of whoever made the tool.
  if (policy.length > 0) about.append(...why)
  if (description !== '') {
    about.append(makeElement('div', { class: 'text', part: 'description' }, literalText(description, texts)))
  }
  if (policy.length === 0) about.append(...why)
  return makeElement(
    'div',
    // Reached with the keyboard, so that it can be scrolled without a pointer.
    { class: 'details', part: 'details', role: 'region', 'aria-label': texts.details, tabindex: '0' },
    about,
    ...inputSections,
  )
}

function whyView({ reasons, policy = [] }: ApprovalRequest, texts: DialogTexts): readonly HTMLElement[] {
  const own = withoutPolicy(reasons, policy)
  const { sentences } = policyWords(policy, texts)
  const all = [...own, ...sentences]
  if (reasons.length + policy.length === 0) return []
  const lists = all.length === 0 ? [] : foldableList(all, maxReasons, texts, (some) => textList(some, texts))
  const heading = makeElement('h3', { id: 'why', part: 'heading' }, texts.reasons)
  if (policy.length === 0) {
    return [makeElement('div', { class: 'reasons', part: 'reasons' }, heading, ...lists)]
  }
  return [
    makeElement(
      'div',
      { class: 'reasons why', part: 'reasons policy', role: 'group', 'aria-labelledby': 'why' },
      ...[heading, ...lists, ...policyView(policy, texts)],
    ),
  ]
}

/** The reasons that no rule gave. A rule's reason is one of the request's; another may have the same words. */
function withoutPolicy(
  reasons: readonly string[],
  policy: NonNullable<ApprovalRequest['policy']>,
): readonly string[] {
  const left = [...reasons]
  for (const { reason } of policy) {
    const at = left.lastIndexOf(reason)
    if (at >= 0) left.splice(at, 1)
  }
  return left
}
