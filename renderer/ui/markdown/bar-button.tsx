import type { ReactNode } from 'react'

interface BarButtonProps {
  readonly label: string
  readonly icon: ReactNode
  readonly pressed?: boolean
  readonly disabled?: boolean
  readonly onClick: () => void
}

/** A button in the toolbar of a code block or diagram. */
export const BarButton = ({ label, icon, pressed, disabled, onClick }: BarButtonProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    aria-pressed={pressed}
    disabled={disabled}
    className="code-button"
    onClick={onClick}
  >
    {icon}
  </button>
)
