import { readFeatures, type Features } from './features.ts'
import type { Lexicon } from './lexicon.ts'
import { DIMENSIONS } from './messages.ts'

/** Number of vector components per feature. */
const PLACES = 8

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}

/** Mixes the bits of a number until they look random. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/**
 * Maps each feature to a few components determined by its name alone, so vectors of any time and
 * machine are comparable.
 */
function project(features: Features): Float32Array {
  const vector = new Float32Array(DIMENSIONS)
  for (const [name, weight] of features) {
    // Repetition increases the weight, but not proportionally.
    const strength = weight <= 1 ? weight : Math.sqrt(weight)
    let state = hash(name)
    for (let place = 0; place < PLACES; place += 1) {
      state = mix(state + 0x9e3779b9)
      const index = state % DIMENSIONS
      vector[index] = vector[index]! + ((state & 0x40000000) === 0 ? strength : -strength)
    }
  }
  return vector
}

/**
 * Returns the vector of a text, of length 1; a text without letters and digits has the vector of
 * the empty text.
 */
export function embedText(text: string, lexicon: Lexicon): Float32Array {
  const features = readFeatures(text, lexicon)
  if (features.size === 0) features.set('e', 1)
  const vector = project(features)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
