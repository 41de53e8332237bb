import type { Taint, TaintSource } from 'offstage'
import { element } from '../shared/element.ts'

/** What a run has read that makes its calls suspect. */
export function taintView(taint: Taint | undefined): HTMLElement {
  const { untrusted = [], private: secrets = [] } = taint ?? {}
  return element(
    'dl',
    { class: 'taint' },
    element('dt', {}, 'Not to be trusted'),
    ...sourceViews(untrusted),
    element('dt', {}, 'Private'),
    ...sourceViews(secrets),
  )
}

function sourceViews(sources: readonly TaintSource[]): readonly HTMLElement[] {
  if (sources.length === 0) return [element('dd', {}, 'nothing')]
  return sources.map(({ toolName, about }) =>
    element('dd', {}, about === undefined ? '' : `${about}, by `, element('code', {}, toolName)),
  )
}
