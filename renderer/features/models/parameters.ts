/** A parameter of the form; its description is in the locale file under its name. */
export interface ParameterRow {
  readonly name:
    | 'temperature'
    | 'top_p'
    | 'top_k'
    | 'min_p'
    | 'max_tokens'
    | 'num_ctx'
    | 'presence_penalty'
    | 'frequency_penalty'
    | 'repeat_penalty'
    | 'seed'
    | 'reasoning_effort'
    | 'stop'
  readonly kind: 'number' | 'list' | 'effort'
  readonly min?: number
  readonly max?: number
  readonly step?: number
}

/** Parameters, the most frequently changed first. */
export const PARAMETERS: readonly ParameterRow[] = Object.freeze([
  { name: 'temperature', kind: 'number', min: 0, max: 2, step: 0.05 },
  { name: 'max_tokens', kind: 'number', min: 1, step: 1 },
  { name: 'reasoning_effort', kind: 'effort' },
  { name: 'top_p', kind: 'number', min: 0, max: 1, step: 0.01 },
  { name: 'top_k', kind: 'number', min: 0, step: 1 },
  { name: 'min_p', kind: 'number', min: 0, max: 1, step: 0.01 },
  { name: 'presence_penalty', kind: 'number', min: -2, max: 2, step: 0.05 },
  { name: 'frequency_penalty', kind: 'number', min: -2, max: 2, step: 0.05 },
  { name: 'repeat_penalty', kind: 'number', min: 0, max: 2, step: 0.05 },
  { name: 'num_ctx', kind: 'number', min: 1, step: 1 },
  { name: 'seed', kind: 'number', step: 1 },
  { name: 'stop', kind: 'list' },
])

export const EFFORTS = Object.freeze(['low', 'medium', 'high'] as const)

/** Capabilities that can be declared for a model. */
export const CAPABILITIES = Object.freeze([
  'vision',
  'file_upload',
  'web_search',
  'image_generation',
  'code_interpreter',
  'citations',
  'usage',
] as const)
