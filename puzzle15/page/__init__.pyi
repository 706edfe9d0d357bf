from ._assembling import Page as Page
from ._assembling import page as page
from ._server import Server as Server
