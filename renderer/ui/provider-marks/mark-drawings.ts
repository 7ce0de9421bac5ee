import { marks } from 'virtual:provider-marks'
import { findMark } from './find-mark.ts'

export type MarkPaths = readonly (readonly [path: string, opacity: number])[]

/** Returns the drawing of a provider's mark, by the id of its preset; null without one. */
export const drawProvider = (id: string): MarkPaths | null =>
  Object.hasOwn(marks, id) ? (marks[id] ?? null) : null

/** Returns the drawing of the family that a model's id names; null without one. */
export function drawFamily(modelId: string): MarkPaths | null {
  const name = findMark(modelId)
  return name === null ? null : drawProvider(name)
}
