/**
 * Tool mode of a model: it calls functions natively, or a prompt asks it beforehand which of them
 * to use.
 */
export type FunctionCalling = 'native' | 'default'

interface Asked {
  readonly params: Readonly<Record<string, unknown>> | null | undefined
  readonly preset: Readonly<Record<string, unknown>> | null | undefined
  readonly capabilities: Readonly<Record<string, unknown>> | null | undefined
}

/**
 * Returns the mode; a model that is known not to call functions gets prompts, whatever was chosen.
 */
export function functionCallingOf({ params, preset, capabilities }: Asked): FunctionCalling {
  const mode = params?.['function_calling'] ?? preset?.['function_calling'] ?? 'native'
  return mode === 'native' && capabilities?.['tools'] !== false ? 'native' : 'default'
}
