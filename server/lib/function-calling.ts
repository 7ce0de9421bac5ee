/**
 * How a model is given tools: as functions it calls itself, or by a prompt that asks which of them
 * to use beforehand.
 */
export type FunctionCalling = 'native' | 'default'

interface Asked {
  readonly params: Readonly<Record<string, unknown>> | null | undefined
  readonly preset: Readonly<Record<string, unknown>> | null | undefined
  readonly capabilities: Readonly<Record<string, unknown>> | null | undefined
}

/** A model that is known not to call functions is helped by prompts, whatever was chosen. */
export function functionCallingOf({ params, preset, capabilities }: Asked): FunctionCalling {
  const mode = params?.['function_calling'] ?? preset?.['function_calling'] ?? 'native'
  return mode === 'native' && capabilities?.['tools'] !== false ? 'native' : 'default'
}
