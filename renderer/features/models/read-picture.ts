const SIDE = 256

/** Converts a picture file to a small square that is stored within the model. */
export async function readPicture(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file)
  const side = Math.min(bitmap.width, bitmap.height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SIDE
  const place = [(bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side] as const
  canvas.getContext('2d')?.drawImage(bitmap, ...place, 0, 0, SIDE, SIDE)
  bitmap.close()
  return canvas.toDataURL('image/webp', 0.9)
}
