/** The part of WebAssembly used by the scan; Node's types leave it to those of browsers. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number })
    readonly buffer: ArrayBuffer
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: { env: { memory: Memory } })
    readonly exports: Record<string, unknown>
  }
}
