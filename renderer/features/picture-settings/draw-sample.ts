const SIZE = 512

/**
 * Draws a sample picture for trying changes: a house under a sun, created locally so that nothing
 * has to be fetched.
 */
export function drawSample(): string {
  const canvas = document.createElement('canvas')
  canvas.width = SIZE
  canvas.height = SIZE
  const pen = canvas.getContext('2d')!
  pen.fillStyle = '#bfe3f5'
  pen.fillRect(0, 0, SIZE, SIZE)
  pen.fillStyle = '#7fb069'
  pen.fillRect(0, 360, SIZE, 152)
  pen.fillStyle = '#d9a066'
  pen.fillRect(160, 230, 200, 170)
  pen.fillStyle = '#a3423c'
  pen.beginPath()
  pen.moveTo(135, 235)
  pen.lineTo(260, 130)
  pen.lineTo(385, 235)
  pen.fill()
  pen.fillStyle = '#f6c945'
  pen.beginPath()
  pen.arc(420, 90, 45, 0, 2 * Math.PI)
  pen.fill()
  return canvas.toDataURL('image/png')
}
