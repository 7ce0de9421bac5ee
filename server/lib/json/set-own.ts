/** Sets a field of any name, including `__proto__`, like `JSON.parse`. */
export function setOwn(target: object, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(target, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    })
  else (target as Record<string, unknown>)[name] = value
}
