/** A clock all processes of one machine share. */
export const microseconds = (): number => Number(process.hrtime.bigint() / 1000n)
