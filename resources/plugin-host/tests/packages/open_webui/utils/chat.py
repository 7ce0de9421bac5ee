MARK = object()


def generate_chat_completion():
    return "answer"
