/** Answers of the scripted upstreams, as every SDK has to return them. */
export const ANSWER =
  'Hello from the scripted model. It answers the same way every time: one sentence, two sentences.'
export const TOOL_CALL = { name: 'get_weather', arguments: { city: 'Örebro', days: 2 } }
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
