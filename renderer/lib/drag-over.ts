/** The used part of a drag event, of React or of the browser. */
interface FileDrag {
  readonly dataTransfer: { readonly types: readonly string[] } | null
  preventDefault(): void
}

const holdsFiles = ({ dataTransfer }: FileDrag): boolean =>
  dataTransfer?.types.includes('Files') === true

/**
 * Reports whether files are dragged over an element. Entering a child is reported before leaving its
 * parent, so that the elements under the pointer are counted.
 */
export class DragOver {
  readonly #onChange: (isOver: boolean) => void
  #depth = 0

  constructor(onChange: (isOver: boolean) => void) {
    this.#onChange = onChange
  }

  enter(event: FileDrag): void {
    if (!holdsFiles(event)) return
    event.preventDefault()
    this.#depth += 1
    this.#onChange(true)
  }

  leave(event: FileDrag): void {
    if (!holdsFiles(event)) return
    this.#depth -= 1
    if (this.#depth <= 0) this.#end()
  }

  /** Allows the drop. */
  allow(event: FileDrag): void {
    if (holdsFiles(event)) event.preventDefault()
  }

  /** Returns true if files were dropped. */
  drop(event: FileDrag): boolean {
    if (!holdsFiles(event)) return false
    event.preventDefault()
    this.#end()
    return true
  }

  #end(): void {
    this.#depth = 0
    this.#onChange(false)
  }
}
