import { explainFault, languageOfSentence } from '../lib/explain-fault.ts'

interface GatewaySentenceProps {
  /** What the gateway said, in English. */
  readonly detail: string
  readonly code?: string | null
}

/** What the gateway said, in the language of the interface where it is known there. */
export function GatewaySentence({ detail, code }: GatewaySentenceProps) {
  const sentence = explainFault({ detail, code })
  return <bdi lang={languageOfSentence(sentence)}>{sentence}</bdi>
}
