import encodeQR from 'qr'

/** Width of the quiet zone that scanners need around the code. */
const EDGE = 4

/** Returns one path for all dark squares, so that no gaps show between them. */
const toPath = (rows: readonly (readonly boolean[])[]): string =>
  rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')

/** QR code, dark on white in every theme, as scanners expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: EDGE, ecc: 'medium' })
  return (
    <svg
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn inline, so that no URL of a picture is needed
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="size-48 shrink-0 rounded-medium border border-line forced-color-adjust-none"
    >
      <rect width={rows.length} height={rows.length} fill="#ffffff" />
      <path d={toPath(rows)} fill="#000000" />
    </svg>
  )
}
