import type { CheckCase, Expectation } from '#contract/prompt-checks.ts'
import { translate } from '../../../lib/i18n.ts'

export const KINDS = ['contains', 'lacks', 'json', 'judged'] as const
type Kind = (typeof KINDS)[number]

/** An expectation being edited. */
export interface ExpectationDraft {
  readonly key: number
  readonly kind: Kind
  readonly text: string
}

/** A check being edited; the keys identify rows. */
export interface CaseDraft {
  readonly key: number
  readonly name: string
  readonly values: Readonly<Record<string, string>>
  readonly expectations: readonly ExpectationDraft[]
}

let counter = 0
const nextKey = (): number => (counter += 1)

export const newExpectation = (): ExpectationDraft => ({
  key: nextKey(),
  kind: 'contains',
  text: '',
})
export const newCase = (number: number): CaseDraft => ({
  key: nextKey(),
  name: translate('promptChecks.case', { number }),
  values: {},
  expectations: [newExpectation()],
})

const textOf = (expectation: Expectation): string =>
  expectation.kind === 'json'
    ? JSON.stringify(expectation.example)
    : expectation.kind === 'judged'
      ? expectation.question
      : expectation.text

export const toDraft = ({ name, values, expectations }: CheckCase): CaseDraft => ({
  key: nextKey(),
  name,
  values,
  expectations: expectations.map((expectation) => ({
    key: nextKey(),
    kind: expectation.kind,
    text: textOf(expectation),
  })),
})

function readExample(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Error(translate('promptChecks.brokenExample', { text }))
  }
}

const toExpectation = ({ kind, text }: ExpectationDraft): Expectation =>
  kind === 'json'
    ? { kind, example: readExample(text) }
    : kind === 'judged'
      ? { kind, question: text }
      : { kind, text }

/** Returns the check to store; throws a readable error if an example is not valid JSON. */
export const toCase = ({ name, values, expectations }: CaseDraft): CheckCase => ({
  name,
  values,
  expectations: expectations.map(toExpectation),
})
