from .assembling import Page as Page
from .assembling import page as page
