import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface SaveButtonProps {
  readonly busy: boolean
  readonly disabled: boolean
  readonly children: ReactNode
}

/** The main button of a form, where its lines begin. */
export const SaveButton = (props: SaveButtonProps) => (
  <Button type="submit" tone="primary" className="self-start" {...props} />
)
