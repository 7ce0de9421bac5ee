import { Component, type ReactNode } from 'react'

/** Text as it is. */
export const PlainText = ({ text }: { text: string }) => (
  <p className="whitespace-pre-wrap">{text}</p>
)

interface PlainOnErrorProps {
  readonly text: string
  readonly children: ReactNode
}

interface PlainOnErrorState {
  readonly hasFailed: boolean
  readonly text: string
}

/**
 * A text that the parser cannot cope with is shown as it is; the messages around it stay. More text
 * is a new attempt.
 */
export class PlainOnError extends Component<PlainOnErrorProps, PlainOnErrorState> {
  override state: PlainOnErrorState = { hasFailed: false, text: this.props.text }

  static getDerivedStateFromError(): Partial<PlainOnErrorState> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(
    props: PlainOnErrorProps,
    state: PlainOnErrorState,
  ): PlainOnErrorState | null {
    return props.text === state.text ? null : { hasFailed: false, text: props.text }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <PlainText text={this.props.text} /> : this.props.children
  }
}
