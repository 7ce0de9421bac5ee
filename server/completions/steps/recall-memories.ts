import { textOf } from '../message-text.ts'
import type { Step } from './step.ts'
import { withSystem } from './with-system.ts'

const INTRODUCTION = 'What is known about the person, to be used only where it matters:'

/** Tells the model what the person wanted to be remembered, as far as it fits the question. */
export const recallMemories: Step = (request, { recall }) => {
  if (!recall) return request
  const question = textOf(request.messages.findLast(({ role }) => role === 'user')?.['content'])
  const facts = recall(question)
  if (facts.length === 0) return request
  return { ...request, messages: withSystem(request.messages, [INTRODUCTION, ...facts.map((fact) => `- ${fact}`)].join('\n')) }
}
