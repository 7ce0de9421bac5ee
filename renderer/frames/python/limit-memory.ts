let limit = Number.POSITIVE_INFINITY

export const PAGE = 65_536

/** The runtime calls this for more memory; a thrown error becomes Python's MemoryError. */
// oxlint-disable-next-line typescript/unbound-method -- called with its own memory as `this` below
const grow = WebAssembly.Memory.prototype.grow
WebAssembly.Memory.prototype.grow = function growWithinLimit(pages: number): number {
  if (this.buffer.byteLength + pages * PAGE > limit)
    throw new RangeError('Beyond the memory limit.')
  return grow.call(this, pages)
}

export const limitMemory = (bytes: number): void => void (limit = bytes)
