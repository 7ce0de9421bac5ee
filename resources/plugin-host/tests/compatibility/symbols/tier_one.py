"""What most plugins that import anything import."""

from tests.compatibility.rows import Row, rows

ROWS: list[Row] = [
    *rows(
        "T1",
        "models.users",
        """
        Users | assert Users.get_user_by_id("u1").name == "Ada" and (await Users.get_user_by_id("u1")).email == "ada@example.org"
        Users.get_user_by_email | assert Users.get_user_by_email("bob@example.org").id == "u2"
        Users.get_users | assert Users.get_users()["users"][1].id == "u2" and [x.id for x in Users.get_users()] == ["u1", "u2"]
        Users.get_first_user | assert (await Users.get_first_user()).id == "u2"
        Users.get_users_by_user_ids | assert Users.get_users_by_user_ids(["u2"])[0].name == "Bob"
        Users.get_num_users | assert Users.get_num_users() == 2
        Users.update_user_settings_by_id | assert Users.update_user_settings_by_id("u1", {"ui": {"dark": True}}).id == "u1"
        Users.get_user_by_api_key | assert Users.get_user_by_api_key("sk-1") is None
        UserModel | assert UserModel(**u).model_dump()["name"] == "Ada" and UserModel(**u, more=1).settings is None
        User | assert User is UserModel_
        UserResponse | assert UserResponse(id="x").role == "pending"
        """,
    ),
    *rows(
        "T1",
        "utils.misc",
        """
        get_last_user_message | assert get_last_user_message([{"role": "user", "content": [{"type": "text", "text": "a"}]}]) == "a"
        get_last_user_message_item | assert get_last_user_message_item([{"role": "user", "content": "a"}, {"role": "assistant"}])["content"] == "a"
        get_last_assistant_message | assert get_last_assistant_message([{"role": "assistant", "content": "b"}]) == "b"
        get_system_message | assert get_system_message([{"role": "system", "content": "s"}])["content"] == "s"
        pop_system_message | assert pop_system_message([{"role": "system", "content": "s"}, {"role": "user"}]) == ({"role": "system", "content": "s"}, [{"role": "user"}])
        remove_system_message | assert remove_system_message([{"role": "system"}, {"role": "user"}]) == [{"role": "user"}]
        add_or_update_system_message | m = [{"role": "system", "content": "b"}]; assert add_or_update_system_message("a", m) is m and m[0]["content"] == "a\\nb"
        add_or_update_user_message | assert add_or_update_user_message("b", [{"role": "user", "content": "a"}])[0]["content"] == "a\\nb"
        get_message_list | assert [m["id"] for m in get_message_list({"a": {"id": "a", "parentId": None}, "b": {"id": "b", "parentId": "a"}}, "b")] == ["a", "b"]
        get_messages_content | assert get_messages_content([{"role": "user", "content": "a"}]) == "USER: a"
        get_content_from_message | assert get_content_from_message({"content": "a"}) == "a"
        deep_update | assert deep_update({"a": {"b": 1}}, {"a": {"c": 2}}) == {"a": {"b": 1, "c": 2}}
        is_string_allowed | assert is_string_allowed("a.b", ["b"]) and not is_string_allowed("a.b", ["!b"]) and is_string_allowed("x", None)
        openai_chat_message_template | assert openai_chat_message_template("m")["model"] == "m"
        openai_chat_chunk_message_template | c = openai_chat_chunk_message_template("m", "x"); assert c["choices"][0]["delta"] == {"content": "x"} and c["object"] == "chat.completion.chunk"
        openai_chat_completion_message_template | assert openai_chat_completion_message_template("m", "x")["choices"][0]["message"] == {"role": "assistant", "content": "x"}
        convert_output_to_messages | assert convert_output_to_messages([{"type": "message", "content": [{"type": "output_text", "text": "x"}]}]) == [{"role": "assistant", "content": "x"}]
        calculate_sha256_string | assert len(calculate_sha256_string("x")) == 64
        parse_duration | assert parse_duration("1h30m").total_seconds() == 5400 and parse_duration("-1") is None
        sanitize_filename | assert sanitize_filename("A b?.txt") == "a-b.txt"
        prepend_to_first_user_message_content | assert prepend_to_first_user_message_content("a", [{"role": "user", "content": "b"}])[0]["content"] == "a\\nb"
        """,
    ),
    *rows(
        "T1",
        "utils.chat",
        """
        generate_chat_completion | x = await generate_chat_completion(r, {"model": "llama", "messages": [], "stream": False}, user_model(u)); assert x["choices"][0]["message"]["content"] == "Good day"
        generate_chat_completions | x = await generate_chat_completions({"model": "llama", "messages": []}, user_model(u), True); assert x["choices"]
        chat_completed | clear failure: await chat_completed(r, {}, u)
        chat_action | clear failure: await chat_action(r, "x", {}, u)
        """,
    ),
    *rows(
        "T1",
        "env",
        """
        SRC_LOG_LEVELS | assert SRC_LOG_LEVELS["ANYTHING"] == SRC_LOG_LEVELS.get("MAIN") == 20
        AIOHTTP_CLIENT_TIMEOUT | assert AIOHTTP_CLIENT_TIMEOUT is None
        VERSION | assert [int(part) for part in VERSION.split(".")]
        ENABLE_FORWARD_USER_INFO_HEADERS | assert ENABLE_FORWARD_USER_INFO_HEADERS is False
        FORWARD_USER_INFO_HEADER_USER_ID | assert FORWARD_USER_INFO_HEADER_USER_ID.startswith("X-")
        FORWARD_SESSION_INFO_HEADER_CHAT_ID | assert FORWARD_SESSION_INFO_HEADER_CHAT_ID
        DATA_DIR | assert DATA_DIR.is_dir()
        GLOBAL_LOG_LEVEL | assert GLOBAL_LOG_LEVEL == "INFO"
        WEBUI_SECRET_KEY | assert isinstance(WEBUI_SECRET_KEY, str)
        """,
    ),
    *rows(
        "T1",
        "constants",
        """
        TASKS | assert TASKS.TITLE_GENERATION == "title_generation" == str(TASKS.TITLE_GENERATION) and "x" != TASKS.DEFAULT and callable(TASKS.DEFAULT)
        ERROR_MESSAGES | assert "x" in ERROR_MESSAGES.DEFAULT("x") and isinstance(ERROR_MESSAGES.NOT_FOUND, str)
        MESSAGES | assert MESSAGES.DEFAULT("x") == "x"
        """,
    ),
]
