"""Helpers: tools, filters, plugins, access, payloads."""

from tests.compatibility.rows import Row, rows

ROWS: list[Row] = [
    *rows(
        "T3",
        "utils.tools",
        """
        get_tools | t = get_tools(r, ["calc", "no"], u, {}); assert list(t) == ["add"] and await t["add"]["callable"](a=1) == "calc.add{'a': 1}" and (await get_tools(r, ["calc"], u))["add"]["tool_id"] == "calc"
        get_builtin_tools | t = get_builtin_tools(r, {"__user__": u}); assert "search_memories" in t and "Likes tea" in await t["search_memories"]["callable"](query="tea")
        get_terminal_tools | assert await get_terminal_tools(r, "x", u, {}) == {}
        get_tool_specs | assert get_tool_specs(Kit_())[0]["name"] == "add"
        convert_function_to_spec | assert convert_function_to_spec(Kit_().add)["parameters"]["required"] == ["a"]
        get_async_tool_function_and_apply_extra_params | assert await get_async_tool_function_and_apply_extra_params(Kit_().add, {"b": 2})(a=1) == 3
        get_tool_servers | assert await get_tool_servers(r) == []
        get_updated_tool_function | from open_webui.utils.tools import get_async_tool_function_and_apply_extra_params as bind; f = bind(Kit_().add, {"b": 2}); g = await get_updated_tool_function(function=f, extra_params={"b": 5}); assert await g(a=1) == 6 and await f(a=1) == 3 and get_updated_tool_function(Kit_.add, {}) is Kit_.add
        build_tool_server_headers | h, c = await build_tool_server_headers({"key": "k", "headers": {"A": "b"}}, r, u, server_id="s", metadata={}, extra_params={}); assert h == {"A": "b", "Authorization": "Bearer k"} and c == {} and build_tool_server_headers({"key": ""}, r, u) == ({}, {})
        has_tool_server_access | assert has_tool_server_access(user_model(u), {"config": {"access_control": None}}) and not await has_tool_server_access(user_model(u), {"config": {"access_control": {}}})
        convert_function_to_pydantic_model | m = convert_function_to_pydantic_model(Kit_().add); assert m(a=1).b == 1 and m.__doc__ == "Adds."
        convert_pydantic_model_to_openai_function_spec | from pydantic import BaseModel; s = convert_pydantic_model_to_openai_function_spec(type("Box", (BaseModel,), {"__annotations__": {"a": int}})); assert s["name"] == "Box" and s["parameters"]["required"] == ["a"]
        """,
    ),
    *rows(
        "T3",
        "utils.middleware",
        """
        process_tool_result | x = process_tool_result(r, "f", {"a": 1}, "function"); assert '"a": 1' in x[0] and x[1:] == ([], []) and await process_tool_result(r, "f", ["data:x", 1], "function") == ('{\\n  "results": [\\n    1\\n  ]\\n}', [{"type": "data", "content": "data:x"}], [])
        get_citation_source_from_tool_result | assert get_citation_source_from_tool_result("f", {}, "text", "t")[0]["source"]["name"] == "t/f"
        apply_source_context_to_messages | x = apply_source_context_to_messages(r, [{"role": "user", "content": "q"}], [{"source": {"name": "s"}, "document": ["d"], "metadata": [{"source": "s"}]}], "q"); assert '<source id="1"' in x[0]["content"]
        process_chat_payload | clear failure: await process_chat_payload(r, {}, u, {}, {})
        """,
    ),
    *rows(
        "T3",
        "utils.filter",
        """
        get_sorted_filter_ids | assert get_sorted_filter_ids(r, {"id": "llama"}, []) == ["pipe1"]
        process_filter_functions | assert await process_filter_functions(request=r, filter_functions=[], filter_type="inlet", form_data={"a": 1}, extra_params={}) == ({"a": 1}, {})
        """,
    ),
    *rows(
        "T3",
        "utils.plugin",
        """
        extract_frontmatter | assert extract_frontmatter('\"\"\"\\ntitle: X\\n\"\"\"')["title"] == "X"
        load_tool_module_by_id | assert load_tool_module_by_id("row")[0] is self
        load_function_module_by_id | clear failure: load_function_module_by_id("other")
        get_function_module_from_cache | clear failure: get_function_module_from_cache(r, "other")
        replace_imports | assert replace_imports("from utils import x") == "from utils import x"
        """,
    ),
    *rows(
        "T3",
        "utils.files",
        '''
        get_image_url_from_base64 | x = get_image_url_from_base64(r, "data:image/png;base64,QUJD", {}, u); assert x.startswith("/api/v1/files/") and await get_image_url_from_base64(r, "data:text/plain;base64,QUJD", {}, u) is None
        get_file_url_from_base64 | assert "/files/" in await get_file_url_from_base64(r, "data:text/plain;base64,QUJD", {}, u)
        get_audio_url_from_base64 | assert "/files/" in get_audio_url_from_base64(r, "data:audio/wav;base64,QUJD", {}, u)
        convert_markdown_base64_images | x = await convert_markdown_base64_images(r, "a ![p](data:image/png;base64,QUJD) b", {}, u); assert x.startswith("a ![p](/api/v1/files/") and x.endswith(") b")
        get_image_base64_from_url | from open_webui.utils.files import get_image_url_from_base64 as keep; assert await get_image_base64_from_url(keep(r, "data:image/png;base64,QUJD", {}, u)) == "data:image/png;base64,QUJD" and await get_image_base64_from_url("https://example.org/x.png") is None
        get_image_base64_from_file_id | assert await get_image_base64_from_file_id("file1") is None
        ''',
    ),
    *rows(
        "T3",
        "utils.webhook",
        """
        post_webhook | clear failure: await post_webhook("name", "https://example.org", "text", {})
        """,
    ),
    *rows(
        "T3",
        "utils.headers",
        """
        include_user_info_headers | h = include_user_info_headers({"A": "b"}, user_model(u)); assert h["A"] == "b" and "u1" in h.values()
        """,
    ),
    *rows(
        "T3",
        "utils.access_control",
        """
        has_connection_access | assert has_connection_access(user_model(u), {"config": {"access_control": None}}) and not await has_connection_access(user_model(u), {"config": {"access_control": {}}})
        has_access | assert has_access("u1", "read", {"read": {"group_ids": ["g1"]}}) and not has_access("u1", "write", None)
        has_permission | assert has_permission("u1", "chat.controls") and not has_permission("u1", "chat.delete") and not has_permission("u2", "chat.controls")
        get_permissions | assert get_permissions("u1", {})["chat"]["controls"]
        """,
    ),
    *rows(
        "T3",
        "utils.mcp.client",
        """
        MCPClient | clear failure: await MCPClient().connect("http://localhost:1")
        """,
    ),
    *rows(
        "T3",
        "utils.models",
        """
        get_all_models | assert (await get_all_models(r, user=u))[0]["id"] == "llama"
        check_model_access | await check_model_access(u, {"id": "llama"})
        get_filtered_models | assert len(await get_filtered_models([{"id": "llama"}, {"id": "secret"}], u)) == 1
        """,
    ),
    *rows(
        "T3",
        "utils.logger",
        """
        start_logger | start_logger()
        stdout_format | e = {"extra": {"a": {1}}}; assert stdout_format(e).endswith("{extra[extra_json]}\\n{exception}") and "a" in e["extra"]["extra_json"] and stdout_format({"extra": {}}).endswith("{message}\\n{exception}")
        """,
    ),
    *rows(
        "T3",
        "utils.payload",
        """
        apply_system_prompt_to_body | assert apply_system_prompt_to_body("{{USER_NAME}}", {"messages": []}, {}, user_model(u))["messages"][0]["content"] == "Ada"
        apply_model_params_to_body_openai | assert apply_model_params_to_body_openai({"temperature": "1", "x": 2}, {}) == {"temperature": 1.0}
        apply_model_system_prompt_to_body | assert apply_model_system_prompt_to_body({"system": "s"}, {"messages": []})["messages"][0]["role"] == "system"
        """,
    ),
    *rows(
        "T3",
        "utils.auth",
        """
        get_current_user | assert get_current_user(None).id == "u1"
        get_verified_user | assert get_verified_user(user_model(u)).id == "u1"
        get_admin_user | clear failure: get_admin_user(user_model(u))
        decode_token | assert decode_token("x") is None
        create_token | clear failure: create_token({"id": "u1"})
        """,
    ),
]
