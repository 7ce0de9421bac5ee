import { explainFault, languageOfSentence } from '../../lib/explain-fault.ts'

interface GatewaySentenceProps {
  /** Message of the gateway, in English. */
  readonly detail: string
  readonly code?: string | null
}

/** A gateway message, in the language of the UI if it is known there. */
export function GatewaySentence({ detail, code }: GatewaySentenceProps) {
  const sentence = explainFault({ detail, code })
  return <bdi lang={languageOfSentence(sentence)}>{sentence}</bdi>
}
