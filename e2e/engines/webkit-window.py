"""A window of WebKitGTK that WebKitWebDriver starts and drives.

MiniBrowser, which the driver starts by itself, has a toolbar that keeps it wider than a phone, and keeps no profile while
it is driven. In this one the page fills the window, its console is written to the standard output, and what it stores is
in the folder given as the only argument.
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

WIDTH, HEIGHT = 1280, 800
profile = sys.argv[-1]


def open_window(_session):
    settings = WebKit2.Settings(enable_write_console_messages_to_stdout=True)
    view = WebKit2.WebView(web_context=context, settings=settings, is_controlled_by_automation=True)
    window = Gtk.Window(default_width=WIDTH, default_height=HEIGHT)
    window.add(view)
    window.show_all()
    return view


def be_driven(_context, session):
    session.set_application_info(WebKit2.ApplicationInfo())
    session.connect("create-web-view", open_window)


context = WebKit2.WebContext(
    website_data_manager=WebKit2.WebsiteDataManager(base_data_directory=profile, base_cache_directory=profile)
)
context.set_automation_allowed(True)
context.set_preferred_languages(["en-US"])
context.connect("automation-started", be_driven)
Gtk.main()
