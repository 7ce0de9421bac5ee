import { Badge, type BadgeTone } from '../../ui/badge.tsx'

const toneOf = (status: number): BadgeTone =>
  status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'neutral'

/** The status of a reply; failures stand out. */
export const StatusBadge = ({ status }: { status: number }) => (
  <Badge tone={toneOf(status)}>{status}</Badge>
)
