/** A frozen copy of the environment variables the process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment; the only place that reads `process.env`. */
export const readEnvironment = (): Environment => Object.freeze({ ...process.env })
