function areAdjacent(pieces: readonly Buffer[]): boolean {
  let { buffer, byteOffset: end } = pieces[0]!
  return pieces.every((piece) => {
    const isNext = piece.buffer === buffer && piece.byteOffset === end
    end += piece.length
    return isNext
  })
}

/** Joins pieces; pieces adjacent in memory are not copied. */
export function joinPieces(given: readonly Buffer[]): Buffer {
  const pieces = given.filter(({ length }) => length > 0)
  const [first] = pieces
  if (first === undefined || pieces.length === 1 || !areAdjacent(pieces))
    return pieces.length === 1 ? first! : Buffer.concat(pieces)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return Buffer.from(first.buffer, first.byteOffset, length)
}
