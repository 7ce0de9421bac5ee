/** Returns the time of a clock shared by all processes of the machine. */
export const microseconds = (): number => Number(process.hrtime.bigint() / 1000n)
